export interface Whose {
  readonly userId: number
}

/** The path of the operations on the account. */
export const pathOf = ({ userId }: Whose): string => `/users/${userId}`
