const key = (address: string) => `parley.draft.${address}`

/** What was begun and not sent, by view, as long as the window lives. */
export const readDraft = (address: string): string => sessionStorage.getItem(key(address)) ?? ''

export function keepDraft(address: string, text: string): void {
  if (text) sessionStorage.setItem(key(address), text)
  else sessionStorage.removeItem(key(address))
}
