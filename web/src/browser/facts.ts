// Facts that the server puts on the page's root: its version, and the URL of its source if there is one.

export const { version = '', source = '' } = document.getElementById('page')?.dataset ?? {};
