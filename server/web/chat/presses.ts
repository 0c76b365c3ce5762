import { listen } from '../look/listen.js'

// The user has moved away to take the press back.
const leavePixels = 10

/**
 * A press reaches the button or link on which it began, though the page moves below the pointer before it ends: messages arrive, pictures load.
 * The browser would give it to what has come there, or to nothing.
 */
export function keepPresses(): void {
  listen(document, 'pointerdown', ({ target, pointerType, pointerId, button, clientX, clientY }) => {
    const pressed = (target as Element).closest<HTMLElement>('button, a')
    // A finger has it anyway.
    if (!pressed || pointerType !== 'mouse' || button !== 0) return
    pressed.setPointerCapture(pointerId)
    const over = new AbortController()
    const moved = (to: PointerEvent) => {
      if (Math.hypot(to.clientX - clientX, to.clientY - clientY) > leavePixels) pressed.releasePointerCapture(pointerId)
    }
    pressed.addEventListener('pointermove', moved, over)
    pressed.addEventListener('lostpointercapture', () => over.abort(), over)
  })
}
