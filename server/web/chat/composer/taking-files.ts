import { createSignal } from 'solid-js'
import { listen } from '../../look/listen.js'

/** Takes files that are dropped anywhere in the window, or pasted. */
interface TakingFiles {
  /** Whether files are being dragged over the window. */
  readonly isOver: () => boolean
  /** False: what is pasted is text. */
  paste(event: ClipboardEvent): boolean
  /** Takes chosen files in place of what the browser would do; no files: leaves it to the browser. */
  take(files: FileList | undefined | null, event: Event): void
}

/**
 * `isAble`: the user can write here now; otherwise the window refuses dropped files, and the browser does not open them in its place. Of two open
 * views, that beside the other one (`isBeside`) takes what is dropped on it.
 */
export function createTakingFiles(
  add: (files: FileList) => void,
  isAble: () => boolean,
  isBeside: boolean,
): TakingFiles {
  const [isOver, setOver] = createSignal(false)
  const take = (files: FileList | undefined | null, event: Event) => {
    if (!files || files.length === 0) return
    event.preventDefault()
    add(files)
  }
  // The button of a form that chooses a file takes a dropped one itself.
  const isOfPage = ({ dataTransfer, target }: DragEvent) =>
    dataTransfer?.types.includes('Files') === true && !(target as Element).closest?.('input[type=file]')
  const isHere = ({ target }: DragEvent) => ((target as Element).closest?.('.pane.beside') != null) === isBeside
  listen(window, 'dragover', event => {
    if (!isOfPage(event)) return
    event.preventDefault()
    if (!isHere(event)) return setOver(false)
    setOver(isAble())
    if (!isAble() && event.dataTransfer) event.dataTransfer.dropEffect = 'none'
  })
  // Without a related target the pointer leaves the window, or the user gives up.
  listen(window, 'dragleave', event => event.relatedTarget === null && setOver(false))
  listen(window, 'drop', event => {
    setOver(false)
    if (!isOfPage(event)) return
    event.preventDefault()
    if (isAble() && isHere(event)) take(event.dataTransfer?.files, event)
  })
  return {
    isOver,
    take,
    paste(event) {
      // A program that copies text may add a picture of it.
      if (event.clipboardData?.types.includes('text/plain')) return false
      take(event.clipboardData?.files, event)
      return true
    },
  }
}
