/**
 * Copies a text to the clipboard. False: the browser has none for this page, because the page came neither encrypted nor from the same
 * machine, or does not let the page use it.
 */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined
  try {
    await clipboard?.writeText(text)
    return clipboard !== undefined
  } catch (error) {
    console.warn('The browser refuses its clipboard:', error)
    return false
  }
}
