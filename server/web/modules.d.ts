declare module '*.css'

declare module 'virtual:emoji-groups' {
  /** Codes as the API spells them, separated by spaces. */
  export const groups: readonly { readonly title: string; readonly codes: string }[]
}
