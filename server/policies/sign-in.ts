import type { SignInMethod, SignInMethods } from '../../shared/resources/sign-in-methods.js'
import type { Directory } from '../memory/directory.js'
import { realmSetting } from './settings.js'

/** Whether accounts have passwords of their own here. */
export const isPasswordOn = ({ directory }: { readonly directory: Directory }): boolean =>
  realmSetting(directory, 'authentication_methods').Email?.enabled ?? false

/**
 * The ways to sign in that the server can offer (`Config.signInMethods`), and whether the organization has them switched on. One that it has
 * not decided on is on: the operator has configured it.
 */
export function signInMethods(directory: Directory, configured: readonly SignInMethod[]): SignInMethods {
  const stored = realmSetting(directory, 'authentication_methods')
  return Object.fromEntries(configured.map(name => [name, { enabled: stored[name]?.enabled ?? true, available: true }]))
}
