import { hasMouse } from '../../look/media.js'
import { type Change, continueList, type Format, format, type Selected } from '../../state/formatting.js'

type Box = HTMLTextAreaElement

/** Formats by key, with Ctrl or, on a Mac, Command. */
const formatKeys: Readonly<Record<string, Format>> = { b: 'bold', i: 'italic', k: 'link' }

const selectedIn = (box: Box): Selected => ({
  text: box.value,
  start: box.selectionStart,
  end: box.selectionEnd,
})

/**
 * Makes a change as if the user had typed it, so that the browser's undo takes it back. Its replacement, `setRangeText`,
 * knows no undo.
 */
export function applyChange(box: Box, { from, to, insert, start, end }: Change): void {
  box.focus()
  box.setSelectionRange(from, to)
  const isDone =
    insert === '' ? from === to || document.execCommand('delete') : document.execCommand('insertText', false, insert)
  if (!isDone) {
    box.setRangeText(insert, from, to, 'end')
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  box.setSelectionRange(start, end)
}

export const applyFormat = (box: Box, wanted: Format): void => applyChange(box, format(selectedIn(box), wanted))

/** Puts a text in place of the selected one. */
export function insertText(box: Box, text: string): void {
  const { start, end } = selectedIn(box)
  applyChange(box, { from: start, to: end, insert: text, start: start + text.length, end: start + text.length })
}

/** Shift+Enter begins a new line. The keyboard of a touch screen has no such key, so Enter does it there. */
export const isNewLine = (event: KeyboardEvent): boolean => event.key === 'Enter' && (event.shiftKey || !hasMouse())

/**
 * Handles the keys that format, and continues a list where a key begins a new line. Ctrl+K makes a link of
 * selected text only: without a selection it belongs to the page. True: the key is handled.
 */
export function editingKey(box: Box, event: KeyboardEvent): boolean {
  const wanted = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && formatKeys[event.key]
  if (wanted && (wanted !== 'link' || box.selectionStart !== box.selectionEnd)) {
    event.preventDefault()
    event.stopPropagation()
    applyFormat(box, wanted)
    return true
  }
  if (!isNewLine(event) || event.isComposing || box.selectionStart !== box.selectionEnd) return false
  const change = continueList(box.value, box.selectionStart)
  if (!change) return false
  event.preventDefault()
  applyChange(box, change)
  return true
}
