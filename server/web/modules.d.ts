declare module '*.css'

declare module 'virtual:emoji-groups' {
  /** Codes as the API spells them, separated by spaces. */
  export const groups: readonly {
    readonly name: keyof import('./language/texts.js').Texts['emoji']['groups']
    readonly codes: string
  }[]
}
