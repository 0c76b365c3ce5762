import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { phone } from './browser.js'
import { atRest } from './reading.js'

/** A user's hand: it does all with the keyboard, or all with one finger on a touch screen. */
export interface Hand {
  /** Presses a button, follows a link, ticks a box, takes a suggestion, opens a tab. */
  use(target: Locator): Promise<void>
  /** Goes into a text box and writes in place of what it holds; `\n` begins a new line. */
  write(box: Locator, text: string): Promise<void>
  /** Goes into a list of options and chooses one. */
  choose(list: Locator, option: string): Promise<void>
  /** Goes to a message, which then shows its tools. */
  goTo(message: Locator): Promise<void>
  /** Opens a message of the results where it was written. */
  open(result: Locator): Promise<void>
  /** Opens the menu of a message, or of a row of the list. */
  openMenu(target: Locator): Promise<void>
  selectTwo(first: Locator, second: Locator): Promise<void>
  /** Goes to the composer from anywhere in the view. */
  toComposer(): Promise<void>
  /** Sends what the composer holds. */
  send(): Promise<void>
  /** Takes back what the notice offers to undo. */
  undo(): Promise<void>
  /** Goes to where the list of channels is. */
  toList(): Promise<void>
  /** Opens the dialog that goes to a place by its name. */
  jump(): Promise<void>
  /** Closes the open dialog. */
  leave(): Promise<void>
}

/** A way to use the page: the window that it needs, and the hand. */
export interface Way {
  readonly options: BrowserContextOptions
  handOn(page: Page): Hand
}

// A page with a hundred stops between two places would be no page for a keyboard.
const mostPresses = 100

/** Only keys. */
export const keyboard: Way = {
  options: {},
  handOn(page) {
    const press = (key: string) => page.keyboard.press(key)
    /** Presses keys until the focus is on the target. */
    const reach = async (target: Locator): Promise<void> => {
      await target.and(page.locator(':not(:disabled)')).waitFor()
      for (let presses = 0; presses < mostPresses; presses++) {
        const key = await target.evaluate(keyTowards)
        if (key === undefined) return
        await press(key)
      }
      throw new Error(`after ${mostPresses} presses the focus is not on ${target}, but on ${await focusOf(page)}`)
    }
    const pressUntil = async (
      key: string,
      target: Locator,
      condition: (element: unknown) => boolean,
    ): Promise<void> => {
      await target.waitFor()
      for (let presses = 0; !(await target.evaluate(condition)); presses++) {
        if (presses === mostPresses) throw new Error(`${mostPresses} times ${key} do not lead to ${target}`)
        await press(key)
      }
    }
    return {
      async use(target) {
        const role = await target.getAttribute('role')
        if (role === 'option') {
          await pressUntil('ArrowDown', target, isChosen)
          await press('Enter')
        } else if (role === 'tab') {
          await reach(target.locator('..').getByRole('tab', { selected: true }))
          await pressUntil('ArrowRight', target, isFocused)
        } else {
          await reach(target)
          await press((await target.getAttribute('type')) === 'checkbox' ? 'Space' : 'Enter')
        }
      },
      async write(box, text) {
        await reach(box)
        await press('ControlOrMeta+a')
        await press('Delete')
        await typeLines(page, text, 'Shift+Enter')
      },
      async choose(list, option) {
        await reach(list)
        const by = await list.evaluate(stepsTo, option)
        for (let n = 0; n < Math.abs(by); n++) await press(by > 0 ? 'ArrowDown' : 'ArrowUp')
      },
      goTo: reach,
      async open(result) {
        await reach(result)
        await press('Enter')
      },
      async openMenu(target) {
        await reach(target)
        await press('Shift+F10')
      },
      async selectTwo(first, second) {
        await reach(first)
        await press('Space')
        await reach(second)
        await press('Space')
      },
      toComposer: () => press('r'),
      send: () => press('Enter'),
      async undo() {
        await page.locator('.toast-offer').waitFor()
        await press('z')
      },
      toList: async () => {},
      jump: () => press('ControlOrMeta+k'),
      leave: () => press('Escape'),
    }
  },
}

/** Only taps and long presses, and the letters of the keyboard that the screen shows for a text box. */
export const touch: Way = {
  options: phone,
  handOn(page) {
    const tap = (target: Locator) => target.tap()
    const goTo = (message: Locator) => tap(message.locator('.content'))
    const openMenu = async (target: Locator) => {
      const content = target.locator('.content')
      const isMessage = (await target.and(page.locator('.message')).count()) > 0
      const pressed = isMessage ? content : target
      await pressed.scrollIntoViewIfNeeded()
      // The list of messages moves by itself; a trial waits until the other one stands still.
      if (isMessage) await atRest(page)
      else await pressed.tap({ trial: true })
      const box = await pressed.boundingBox()
      const devtools = await page.context().newCDPSession(page)
      const point = { x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 10 }
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
      await page.getByRole('menu').waitFor()
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await devtools.detach()
    }
    const toList = async () => {
      const back = page.getByRole('button', { name: 'Back to the list' })
      if (await back.isVisible()) await tap(back)
    }
    return {
      use: tap,
      async write(box, text) {
        await tap(box)
        for (let left = (await box.inputValue()).length; left > 0; left--) await page.keyboard.press('Backspace')
        await typeLines(page, text, 'Enter')
      },
      async choose(list, option) {
        await tap(list)
        // The system shows the options, not the page.
        await list.selectOption(option)
      },
      goTo,
      open: goTo,
      openMenu,
      async selectTwo(first, second) {
        await openMenu(first)
        await tap(page.getByRole('menuitem', { name: 'Select', exact: true }))
        await goTo(second)
      },
      toComposer: () => tap(page.locator('.composer-text')),
      send: () => tap(page.getByRole('button', { name: 'Send', exact: true })),
      undo: () => tap(page.getByRole('button', { name: 'Undo' })),
      toList,
      async jump() {
        await toList()
        await tap(page.getByRole('button', { name: 'Go to …' }))
      },
      leave: () => tap(page.locator('dialog[open]').getByRole('button', { name: 'Close', exact: true })),
    }
  },
}

/** What the functions below, which run in the page, need of an element: the program of the tests knows no document. */
interface PageElement {
  readonly tabIndex: number
  readonly parentElement: PageElement | null
  readonly ownerDocument: { readonly activeElement: PageElement }
  readonly ariaSelected: string | null
  readonly options: ArrayLike<{ readonly label: string }>
  readonly selectedIndex: number
  closest(selector: string): unknown
  matches(selector: string): boolean
  compareDocumentPosition(other: PageElement): number
}

/** The key that brings the focus nearer to an element that does not have it: menus, the list of channels and the tools of a message have arrow keys. */
const keyTowards = (element: unknown): string | undefined => {
  const target = element as PageElement
  const at = target.ownerDocument.activeElement
  if (at === target) return undefined
  if (target.closest('.menu')) return 'ArrowDown'
  const precedes = 2
  const isBehind = (at.compareDocumentPosition(target) & precedes) !== 0
  const list = target.tabIndex < 0 && target.closest('.sidebar-list')
  if (list && at.closest('.sidebar-list')) {
    const line = 'li, .rows-head'
    if (at.closest(line) === target.closest(line)) return isBehind ? 'ArrowLeft' : 'ArrowRight'
    return isBehind ? 'ArrowUp' : 'ArrowDown'
  }
  const bar = target.parentElement
  if (target.tabIndex < 0 && bar?.matches('[role="toolbar"]') && at.parentElement === bar)
    return isBehind ? 'ArrowLeft' : 'ArrowRight'
  return isBehind ? 'Shift+Tab' : 'Tab'
}

const isFocused = (element: unknown): boolean =>
  (element as PageElement).ownerDocument.activeElement === (element as PageElement)

const isChosen = (element: unknown): boolean => (element as PageElement).ariaSelected === 'true'

/** How many options below the chosen one this option is. */
const stepsTo = (list: unknown, option: string): number => {
  const { options, selectedIndex } = list as PageElement
  return Array.from(options).findIndex(one => one.label === option) - selectedIndex
}

/** What has the focus, in words. */
const focusOf = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const { tagName, ariaLabel, textContent } = document.activeElement
    return tagName.toLowerCase() + ' "' + (ariaLabel ?? textContent.trim().slice(0, 60)) + '"'
  })()`)

async function typeLines(page: Page, text: string, newLine: string): Promise<void> {
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) await page.keyboard.press(newLine)
    await page.keyboard.type(line)
  }
}
