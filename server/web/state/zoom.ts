/** How a picture lies in its frame: enlarged from its middle by `scale`, then moved, in pixels. */
export interface Zoom {
  readonly scale: number
  readonly x: number
  readonly y: number
}

interface Point {
  readonly x: number
  readonly y: number
}

interface Size {
  readonly width: number
  readonly height: number
}

export const whole: Zoom = { scale: 1, x: 0, y: 0 }

const mostScale = 8

/** The frame, and the picture in it at scale 1. */
interface Room {
  readonly frame: Size
  readonly fitted: Size
}

/** Enlarges around a point of the frame, counted from its middle, which stays where it is. */
export function zoomAt(zoom: Zoom, by: number, at: Point, room: Room): Zoom {
  const scale = Math.min(mostScale, Math.max(1, zoom.scale * by))
  const real = scale / zoom.scale
  return within({ scale, x: at.x - (at.x - zoom.x) * real, y: at.y - (at.y - zoom.y) * real }, room)
}

/** Moves the picture; no edge of it leaves the edge of the frame behind. */
export const panBy = (zoom: Zoom, by: Point, room: Room): Zoom =>
  within({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, room)

/** How far it can be moved from its middle, in pixels to each side. */
export const roomToMove = (scale: number, { frame, fitted }: Room): Point => ({
  x: Math.max(0, (fitted.width * scale - frame.width) / 2),
  y: Math.max(0, (fitted.height * scale - frame.height) / 2),
})

/** The square of a picture's own pixels that a square frame shows, which it fills. */
export function cropOf({ scale, x, y }: Zoom, { frame, fitted }: Room, picture: Size): Point & { side: number } {
  const shown = (fitted.width * scale) / picture.width
  const side = frame.width / shown
  return { x: picture.width / 2 - x / shown - side / 2, y: picture.height / 2 - y / shown - side / 2, side }
}

function within({ scale, x, y }: Zoom, room: Room): Zoom {
  const most = roomToMove(scale, room)
  return { scale, x: clamp(x, most.x), y: clamp(y, most.y) }
}

// The sum turns the zero below 0 into the usual one.
const clamp = (value: number, most: number): number => Math.min(most, Math.max(-most, value)) + 0
