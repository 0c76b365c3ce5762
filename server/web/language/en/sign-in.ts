import { counterOf } from '../counter.js'

const count = counterOf('en')

/** Why requests of the session fail. */
export const signIn = {
  unreachable: 'The server cannot be reached.',
  answered: (status: number) => `The server answered ${status}.`,
  tooMany: (minutes: number) =>
    count(minutes, {
      one: () => 'Too many attempts. Try again in a minute.',
      other: n => `Too many attempts. Try again in ${n} minutes.`,
    }),
}
