import { batch, createMemo, createSignal } from 'solid-js'
import { listen } from '../look/listen.js'
import { createMedia } from '../look/media.js'
import { besideOf, pageAddress, type Target, targetOf } from '../state/address.js'
import { isConversation, type Narrow, sameNarrow } from '../state/narrow.js'
import { settingsAddress, settingsPlaceOf } from '../state/settings-place.js'
import { isLayer, type Layers } from './layers.js'
import type { View } from './view.js'

// Two conversations need lines of about 50 characters each.
const roomForTwo = '(min-width: 1000px)'

type Place = Pick<View, 'narrow' | 'target' | 'go' | 'follow' | 'close'>
type Page = Pick<View, 'beside' | 'mayOpenBeside' | 'openBeside' | 'settings' | 'openSettings' | 'leaveSettings'>

/** What the URL's fragment names: the open view, the conversation beside it, and the page of settings in place of both. */
interface Addresses extends Page {
  readonly main: Place
  readonly side: Place
}

/** Reads the URL's fragment, and writes it, so that the browser's back and forward buttons work. */
export function createAddresses(me: () => number, layers: Layers): Addresses {
  const [target, setTarget] = createSignal(targetOf(location.hash, me()))
  const [side, setSide] = createSignal(besideOf(location.hash, me()))
  const [settings, setSettings] = createSignal(settingsPlaceOf(location.hash))
  const hasRoom = createMedia(roomForTwo)
  const narrow = createNarrow(target)
  const sideNarrow = createNarrow(side)
  // One conversation is not shown twice.
  const beside = () => {
    const [open, other] = [narrow(), sideNarrow()]
    return hasRoom() && other && !(open && sameNarrow(open, other)) ? other : undefined
  }
  const turn = (next: Target | undefined, nextSide: Target | undefined) => {
    const isSameSide = pageAddress(side(), undefined) === pageAddress(nextSide, undefined)
    // A view stays as it is while only the one beside it changes.
    if (isSameSide || pageAddress(target(), undefined) !== pageAddress(next, undefined)) setTarget(next)
    if (!isSameSide) setSide(nextSide)
  }
  listen(window, 'hashchange', () =>
    batch(() => {
      const place = settingsPlaceOf(location.hash)
      setSettings(place)
      if (!place) turn(targetOf(location.hash, me()), besideOf(location.hash, me()))
    }),
  )
  // Not by location.hash: its event would follow the same address a second time.
  const write = (address: string, isReplacing = false) =>
    layers.writeAddress(() => {
      if (location.hash !== address) history[isReplacing || isLayer() ? 'replaceState' : 'pushState'](null, '', address)
    })
  const show = (next: Target | undefined, nextSide: Target | undefined, isReplacing = false) => {
    write(`#${pageAddress(next, nextSide)}`, isReplacing)
    batch(() => {
      setSettings(undefined)
      setTarget(next)
      setSide(nextSide)
    })
  }
  const showSide = (next: Target | undefined, isReplacing = false) => {
    write(`#${pageAddress(target(), next)}`, isReplacing)
    setSide(next)
  }
  const main: Place = {
    narrow,
    target,
    go: (to, how) => show(targetTo(to, how), side(), how?.isReplacing),
    follow: link => follows(targetOf(link, me()), next => show(next, side())),
    close: () => show(side(), undefined),
  }
  return {
    main,
    side: {
      narrow: sideNarrow,
      target: side,
      go(to, how) {
        if (to && isConversation(to)) showSide(targetTo(to, how), how?.isReplacing)
        else main.go(to, how)
      },
      follow: link =>
        follows(targetOf(link, me()), next => (isConversation(next.narrow) ? showSide(next) : show(next, side()))),
      close: () => showSide(undefined),
    },
    beside,
    mayOpenBeside(one) {
      const open = [narrow(), beside()]
      return hasRoom() && isConversation(one) && !open.some(other => other && sameNarrow(other, one))
    },
    openBeside: one => showSide({ narrow: one }),
    settings,
    openSettings(place) {
      write(`#${settingsAddress(place)}`)
      setSettings(place)
    },
    leaveSettings: () => show(target(), side()),
  }
}

const createNarrow = (target: () => Target | undefined) =>
  createMemo(() => target()?.narrow, undefined, {
    equals: (a, b) => a === b || (a !== undefined && b !== undefined && sameNarrow(a, b)),
  })

const targetTo = (narrow: Narrow | undefined, { near }: { readonly near?: number } = {}): Target | undefined =>
  narrow && { narrow, ...(near !== undefined && { near }) }

function follows(next: Target | undefined, show: (next: Target) => void): boolean {
  if (next) show(next)
  return next !== undefined
}
