import { counterOf } from '../counter.js'

const count = counterOf('en')

/** Signing in, and why a session ended. */
export const signIn = {
  title: 'Sign in',
  place: (organization: string) => `to ${organization}`,
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  busy: 'Signing in …',
  accounts: 'The operator of this server creates the accounts.',
  demonstration: 'This is a demonstration. Enter as',
  unreachable: 'The server cannot be reached.',
  answered: (status: number) => `The server answered ${status}.`,
  tooMany: (minutes: number) =>
    count(minutes, {
      one: () => 'Too many attempts. Try again in a minute.',
      other: n => `Too many attempts. Try again in ${n} minutes.`,
    }),
  ended: 'Your session has ended. Please sign in again.',
  connectionEnded: (reason: string) => `The connection ended: ${reason}.`,
}
