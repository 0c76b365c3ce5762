// How a session begins is one of `password`; `password+` with `code`, `recovery code` or `passkey`; `passkey`; the name of a provider
// (`oidc:company`); `key` (a page of 0.1.0); `demonstration`. In a desktop app it begins with the prefix.

/** Before the method by which the user signed in to a desktop app. */
export const desktopPrefix = 'token '

// Sessions of desktop apps from before the prefix say only `token`; the weakest way is assumed.
const inBrowser = (method: string): string => (method === 'token' ? 'password' : method.replace(/^token /, ''))

/** Whether the session began with a password and no second factor. */
export const isByPasswordAlone = (method: string): boolean => inBrowser(method) === 'password'

/** Whether the sign-in shows by itself who the user is. A password can be given again; a key, which programs keep, proves nothing of its user. */
export const provesIdentity = (method: string): boolean => !/^(?:password|key$)/.test(inBrowser(method))
