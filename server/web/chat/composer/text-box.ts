import { createEffect, on } from 'solid-js'
import { hasMouse } from '../../look/media.js'
import type { View } from '../view.js'

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
      // Keys lead on.
      if (view.readThrough.left()) return
      if (hasMouse()) queueMicrotask(() => box()?.focus({ preventScroll: true }))
    }),
  )
}
