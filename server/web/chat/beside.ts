// In px: between what is placed and its anchor, and the edges of the window.
const gap = 6

/** Places an element of the top layer above its anchor, or below it if there is too little room above. */
export function placeBeside(element: HTMLElement, anchor: HTMLElement): void {
  const [box, beside] = [element.getBoundingClientRect(), anchor.getBoundingClientRect()]
  const above = beside.top - gap - box.height
  const top = above >= gap ? above : Math.min(beside.bottom + gap, innerHeight - box.height - gap)
  const isLeft = beside.left + beside.right < innerWidth
  const left = isLeft ? beside.left : beside.right - box.width
  element.style.top = `${Math.max(gap, top)}px`
  element.style.left = `${Math.min(Math.max(gap, left), innerWidth - box.width - gap)}px`
}
