// The drawn parts of clocks, which only matches with clocks load.

export { default as Clock } from './Clock.svelte';
export { default as ClockNote } from './ClockNote.svelte';
export { default as ClockStrip } from './ClockStrip.svelte';
