import './styles/app.css';
import { mount } from 'svelte';
import App from './app/App.svelte';
import { speak } from './words/language.svelte';

const target = document.getElementById('page');
if (target) speak().then(() => mount(App, { target }));
