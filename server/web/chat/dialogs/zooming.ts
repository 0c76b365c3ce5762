import { createSignal } from 'solid-js'
import { panBy, whole, type Zoom, zoomAt } from '../../state/zoom.js'

interface Point {
  readonly x: number
  readonly y: number
}

/** What the user does to a picture in its frame by wheel, mouse and fingers. */
interface Zooming {
  readonly zoom: () => Zoom
  reset(): void
  /** Enlarges around a point of the frame, counted from its middle. */
  by(factor: number, at?: Point): void
  pan(x: number, y: number): void
  wheel(event: WheelEvent): void
  doubleClick(event: MouseEvent): void
  pointerDown(event: PointerEvent): void
  pointerMove(event: PointerEvent): void
  pointerUp(event: PointerEvent): void
}

const doubleClickFactor = 2.5
// A wheel's notch is about 100 pixels.
const wheelPixels = 400
const swipePixels = 60

/** `swiped`: to the next picture, or with -1 to the one before; without it one finger always moves the picture. */
export function createZooming(
  frame: () => HTMLElement,
  image: () => HTMLElement,
  swiped?: (by: 1 | -1) => void,
): Zooming {
  const [zoom, setZoom] = createSignal(whole)
  const fingers = new Map<number, Point>()
  let swipe = 0
  const room = () => ({
    frame: { width: frame().clientWidth, height: frame().clientHeight },
    // Without the transformation.
    fitted: { width: image().offsetWidth, height: image().offsetHeight },
  })
  const fromMiddle = ({ x, y }: Point): Point => {
    const { left, top, width, height } = frame().getBoundingClientRect()
    return { x: x - left - width / 2, y: y - top - height / 2 }
  }
  const by = (factor: number, at: Point = { x: 0, y: 0 }) => setZoom(now => zoomAt(now, factor, at, room()))
  const pan = (x: number, y: number) => setZoom(now => panBy(now, { x, y }, room()))
  const place = ({ clientX: x, clientY: y }: MouseEvent): Point => ({ x, y })
  const pinch = (other: Point, before: Point, now: Point) => {
    const spread = Math.hypot(before.x - other.x, before.y - other.y)
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
    if (spread > 0) by(Math.hypot(now.x - other.x, now.y - other.y) / spread, fromMiddle(middle))
  }
  return {
    zoom,
    reset: () => setZoom(whole),
    by,
    pan,
    wheel(event) {
      event.preventDefault()
      by(Math.exp(-event.deltaY / wheelPixels), fromMiddle(place(event)))
    },
    doubleClick(event) {
      if (zoom().scale > 1) setZoom(whole)
      else by(doubleClickFactor, fromMiddle(place(event)))
    },
    pointerDown(event) {
      frame().setPointerCapture(event.pointerId)
      if (fingers.size === 0) swipe = 0
      fingers.set(event.pointerId, place(event))
    },
    pointerMove(event) {
      const before = fingers.get(event.pointerId)
      if (!before) return
      const now = place(event)
      fingers.set(event.pointerId, now)
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1]
      if (other) pinch(other, before, now)
      else if (!swiped || zoom().scale > 1) pan(now.x - before.x, now.y - before.y)
      else swipe += now.x - before.x
    },
    pointerUp(event) {
      if (!fingers.delete(event.pointerId) || fingers.size > 0) return
      if (event.type === 'pointercancel' || zoom().scale > 1 || Math.abs(swipe) < swipePixels) return
      const isForth = swipe < 0 === (document.documentElement.dir !== 'rtl')
      swiped?.(isForth ? 1 : -1)
    },
  }
}
