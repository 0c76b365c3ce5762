const key = (address: string) => `parley.draft.${address}`

/** The unsent text of a view; it is stored until the window closes. */
export const readDraft = (address: string): string => sessionStorage.getItem(key(address)) ?? ''

export function keepDraft(address: string, text: string): void {
  if (text) sessionStorage.setItem(key(address), text)
  else sessionStorage.removeItem(key(address))
}
