import { createSignal } from 'solid-js'

/** Handlers of a form that takes files by dropping and pasting. */
interface TakingFiles {
  /** Whether files are being dragged over the form. */
  readonly isOver: () => boolean
  dragOver(event: DragEvent): void
  dragLeave(): void
  drop(event: DragEvent): void
  /** False: what is pasted is text. */
  paste(event: ClipboardEvent): boolean
  /** Takes chosen files in place of what the browser would do; no files: leaves it to the browser. */
  take(files: FileList | undefined | null, event: Event): void
}

export function createTakingFiles(add: (files: FileList) => void): TakingFiles {
  const [isOver, setOver] = createSignal(false)
  const take = (files: FileList | undefined | null, event: Event) => {
    if (!files || files.length === 0) return
    event.preventDefault()
    add(files)
  }
  return {
    isOver,
    take,
    dragOver(event) {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    dragLeave: () => setOver(false),
    drop(event) {
      setOver(false)
      take(event.dataTransfer?.files, event)
    },
    paste(event) {
      // A program that copies text may add a picture of it.
      if (event.clipboardData?.types.includes('text/plain')) return false
      take(event.clipboardData?.files, event)
      return true
    },
  }
}
