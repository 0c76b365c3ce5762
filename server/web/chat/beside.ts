// In px: between what is placed and its anchor, and the edges of the window.
const gap = 6

/** Places an element of the top layer above its anchor, or below it if there is too little room above. */
export function placeBeside(element: HTMLElement, anchor: HTMLElement): void {
  const [box, beside] = [element.getBoundingClientRect(), anchor.getBoundingClientRect()]
  const above = beside.top - gap - box.height
  const top = above >= gap ? above : Math.min(beside.bottom + gap, innerHeight - box.height - gap)
  const isLeft = beside.left + beside.right < innerWidth
  const left = isLeft ? beside.left : beside.right - box.width
  put(element, box, left, top)
}

/** Places an element of the top layer below a point and along the lines from it, or above it if there is too little room below. */
export function placeAt(element: HTMLElement, { x, y }: { readonly x: number; readonly y: number }): void {
  const box = element.getBoundingClientRect()
  const left = getComputedStyle(element).direction === 'rtl' ? x - box.width : x
  put(element, box, left, y + box.height + gap > innerHeight ? y - box.height : y)
}

function put(element: HTMLElement, box: DOMRect, left: number, top: number): void {
  element.style.top = `${Math.max(gap, Math.min(top, innerHeight - box.height - gap))}px`
  element.style.left = `${Math.max(gap, Math.min(left, innerWidth - box.width - gap))}px`
}
