import type { Person } from './people.js'

/**
 * Resolves when the server renders formulas. A thread starts when a message needs it first; on a busy machine this takes longer than a
 * formula waits, which is then shown as typed.
 */
export async function untilFormulasRender(person: Person): Promise<void> {
  while (!(await person.ok('POST', '/messages/render', { content: '$$x$$' })).rendered.includes('katex'));
}
