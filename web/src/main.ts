import './styles/app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { speak } from './lib/language.svelte';

const target = document.getElementById('page');
if (target) speak().then(() => mount(App, { target }));
