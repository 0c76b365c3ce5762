import { createEffect, on } from 'solid-js'
import { hasMouse } from '../../look/media.js'
import type { View } from '../view.js'
import { linkAfter, withLink } from './writing.js'

type Box = () => HTMLTextAreaElement | undefined

const mostPixels = 260

/** Makes the box as high as its text, up to a limit; `grown` follows. */
export function growWithText(text: () => string, box: Box, grown?: (box: HTMLTextAreaElement) => void): void {
  const grow = () => {
    const element = box()
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(element.scrollHeight + 2, mostPixels)}px`
    grown?.(element)
  }
  createEffect(on(text, () => queueMicrotask(grow)))
}

/** Moves the focus to the box when a view opens, except on touch screens, where it would open the keyboard. */
export function focusWhenOpened(view: View, address: () => string, box: Box): void {
  createEffect(
    on(address, () => {
      // A link to a message leads to that one.
      if (view.target()?.near !== undefined) return
      if (hasMouse()) queueMicrotask(() => box()?.focus({ preventScroll: true }))
    }),
  )
}

/** Puts a link in place of the selected text, and returns the whole text. */
export function insertLink(box: HTMLTextAreaElement, link: string): string {
  const { selectionStart: start, selectionEnd: end, value } = box
  box.setRangeText(linkAfter(value.slice(0, start), link), start, end, 'end')
  return box.value
}

/** Puts a link at the end of the draft of a view that is not open. */
export const keepLink = ({ drafts }: View, link: string, address: string): void =>
  drafts.keep(address, withLink(drafts.read(address), link))
