declare module '*.css'

declare module 'virtual:emoji-groups' {
  /** Codes as the API spells them, with spaces between. */
  export const groups: readonly { readonly title: string; readonly codes: string }[]
}
