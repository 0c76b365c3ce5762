/** How people join a new organization: by invitation, with an address of the owner's domain, or as they like. */
export const waysToJoin = ['invitation', 'domain', 'open'] as const
export type WayToJoin = (typeof waysToJoin)[number]

/** The domain of an address, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
