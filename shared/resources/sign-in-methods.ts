/** Ways to sign in, by their names in `realm_authentication_methods`. */
export type SignInMethod = 'Email' | 'OpenID Connect' | 'LDAP'

/** Whether the organization has each way switched on; `available`: it may. */
export type SignInMethods = Readonly<Record<string, { readonly enabled: boolean; readonly available: boolean }>>

type Switches = Readonly<Record<string, { readonly enabled: boolean }>>

export const isMethodOn = (methods: Switches, name: SignInMethod): boolean => methods[name]?.enabled ?? false

/** Whether users sign in with a name and a password here. */
export const takesPasswords = (methods: Switches): boolean =>
  isMethodOn(methods, 'Email') || isMethodOn(methods, 'LDAP')
