import { expect, test } from 'vitest';
import { agentTitles } from '../../build/facts';

test('computer players are known by their titles in every language', () => {
  const english = { 'agent.level-1.title': 'Level 1', 'agent.level-1.text': 'Forgets.', 'page.title': 'Page' };
  expect(agentTitles([english, { 'agent.level-1.title': 'Stufe 1' }])).toEqual(['Level 1', 'Stufe 1']);
});
