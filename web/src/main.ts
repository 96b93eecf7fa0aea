import './styles/app.css';
import { mount } from 'svelte';
import App from './app/App.svelte';
import { fetchScreen } from './app/screens';
import { route } from './browser/router.svelte';
import { speak } from './words/language.svelte';

// The screen's own files come together with the words.
fetchScreen(route().name);
const target = document.getElementById('page');
if (target)
  speak().then(() => {
    const late = target.querySelector('.late');
    mount(App, { target });
    late?.remove();
  });
