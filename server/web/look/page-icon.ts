import { ownPicture } from './own-picture.js'

const size = 64
const plain = '/favicon.svg'

/**
 * Shows the organization's icon, if it has one, as that of the page, with a badge. `count`: a number on the badge; 0 with
 * `hasDot` draws a dot.
 */
export async function showPageIcon(url: string | undefined, count = 0, hasDot = false): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link) return
  const own = ownPicture(url)
  const address = own ?? plain
  const wanted = `${address} ${count} ${hasDot}`
  if (link.dataset.shown === wanted) return
  link.dataset.shown = wanted
  const badged = count > 0 || hasDot ? await withBadge(address, count) : undefined
  // A later call may have begun while the picture loaded.
  if (link.dataset.shown !== wanted) return
  link.type = own || badged ? 'image/png' : 'image/svg+xml'
  link.href = badged ?? address
}

/** Undefined if the picture cannot be loaded. */
async function withBadge(address: string, count: number): Promise<string | undefined> {
  const picture = new Image(size, size)
  picture.src = address
  try {
    await picture.decode()
  } catch {
    return undefined
  }
  const canvas = document.createElement('canvas')
  canvas.width = size
  canvas.height = size
  const context = canvas.getContext('2d')
  if (!context) return undefined
  context.drawImage(picture, 0, 0, size, size)
  const radius = count > 0 ? 21 : 14
  const at = size - radius - 1
  context.fillStyle = '#d92d20'
  context.strokeStyle = '#ffffff'
  context.lineWidth = 4
  context.beginPath()
  context.arc(at, at, radius - 2, 0, 2 * Math.PI)
  context.fill()
  context.stroke()
  if (count > 0) {
    context.fillStyle = '#ffffff'
    context.font = 'bold 30px sans-serif'
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillText(count > 9 ? '9+' : String(count), at, at + 2)
  }
  return canvas.toDataURL('image/png')
}
