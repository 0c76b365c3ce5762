import { inlineStep } from '../../language/page-language.js'
import { listen } from '../../look/listen.js'

// A pause that ends a word.
const pauseMs = 800

/**
 * The list is one stop of the Tab key. Arrow keys up and down go from line to line, those along the line to its other buttons, or open and collapse a
 * section; Home and End go to the ends, and letters to the next line that begins with them.
 *
 * The list has the stop, and gives the focus to the line that had it last, because lines come and go.
 */
export function walkInList(list: HTMLElement): void {
  let last: HTMLElement | undefined
  // Letters belong to the page again once the user has opened a line, or uses the mouse.
  let isWalking = false
  let word = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  const items = () => [...list.querySelectorAll<HTMLElement>('a.row, button')].filter(item => item.checkVisibility())
  const go = (item: HTMLElement | undefined) => {
    if (!item) return
    isWalking = true
    item.focus()
  }
  const enter = () => {
    const all = items()
    go(all.find(item => item === last) ?? all.find(item => item.ariaCurrent) ?? all[0])
  }
  const byWord = (from: HTMLElement, letter: string): HTMLElement | undefined => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      word = ''
    }, pauseMs)
    word += letter.toLocaleLowerCase()
    const all = firstOfLines(items())
    const at = all.findIndex(item => lineOf(item) === lineOf(from))
    // The first letter goes on, further ones may stay.
    const start = word.length === 1 ? at + 1 : at
    const inTurn = [...all.slice(start), ...all.slice(0, start)]
    return inTurn.find(item => item.querySelector('.row-name')?.textContent?.toLocaleLowerCase().startsWith(word))
  }
  const step = (from: HTMLElement, event: KeyboardEvent): HTMLElement | undefined => {
    const all = items()
    const along = inlineStep(event)
    if (along !== undefined) {
      const line = all.filter(item => lineOf(item) === lineOf(from))
      return line[line.indexOf(from) + along]
    }
    const lines = firstOfLines(all)
    const at = lines.findIndex(item => lineOf(item) === lineOf(from))
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key]
    return next === undefined ? undefined : lines[next]
  }

  listen(list, 'focusin', event => {
    if (event.target !== list) last = event.target as HTMLElement
  })
  listen(list, 'focusout', event => {
    if (!list.contains((event as FocusEvent).relatedTarget as Node | null)) isWalking = false
  })
  // Not for a click on what is no line.
  listen(list, 'focus', () => list.matches(':focus-visible') && enter())
  listen(list, 'pointerdown', () => {
    isWalking = false
  })
  listen(list, 'keydown', raw => {
    const event = raw as KeyboardEvent
    const from = (event.target as Element).closest<HTMLElement>('a.row, button')
    if (from && event.key === 'Tab' && event.shiftKey) {
      // The browser goes back from the line to what is before the list, not to the list.
      list.tabIndex = -1
      setTimeout(() => {
        list.tabIndex = 0
      })
      return
    }
    if (!from || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key === 'Enter') {
      isWalking = false
      return
    }
    const isLetter = event.key.length === 1 && (event.key !== ' ' || word !== '')
    if (isLetter && !isWalking) return
    const toggled = from.matches('.section-toggle') && inlineStep(event) === (from.ariaExpanded === 'true' ? -1 : 1)
    const next = isLetter ? byWord(from, event.key) : toggled ? undefined : step(from, event)
    if (!isLetter && !toggled && !next && !/^(Arrow|Home|End)/.test(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    if (toggled) from.click()
    go(next)
  })
}

const lineOf = (item: Element) => item.closest('li, .rows-head')

/** The first button of each line. */
const firstOfLines = (items: readonly HTMLElement[]): HTMLElement[] =>
  items.filter((item, index) => index === 0 || lineOf(item) !== lineOf(items[index - 1] as HTMLElement))
