import { createMemo, createSignal } from 'solid-js'
import { listen } from '../look/listen.js'
import { homeView } from '../state/home-view.js'
import { createAddresses } from './addresses.js'
import { createAttaching } from './attaching.js'
import type { Chat } from './chat.js'
import { createDrafts } from './drafts.js'
import { createLayers } from './layers.js'
import { createPeoplePanel } from './panel-state.js'
import { createPointing } from './pointing.js'
import { createReadThrough } from './read-through.js'
import { createReading } from './reading.js'
import { createSelection } from './selection.js'
import { createSending } from './sending.js'
import { createSingleKeys } from './single-keys.js'
import { beneath, type Dialog, type View } from './view.js'

interface Views {
  /** The open view. */
  readonly view: View
  /** The conversation beside it, which need not be open. */
  readonly side: View
  /** The one of both that the user uses: dialogs and keys are about it. */
  readonly used: () => View
}

/** The open views, which begin as the address says. */
export function createViews(chat: Chat): Views {
  const [dialog, open] = createSignal<Dialog>()
  const layers = createLayers()
  const drafts = createDrafts(chat)
  const { main, side, ...page } = createAddresses(() => chat.session.userId, layers)
  const view: View = {
    ...page,
    ...main,
    ...createPart(main.narrow),
    isBeside: false,
    toOther: () => focusPane(other),
    goHome: isReplacing => main.go(homeView(chat.state), { isReplacing: isReplacing === true }),
    loadSettings: async () => (await import('./find-settings.js')).loadSettings(chat.state),
    layers,
    dialog,
    open,
    closeDialog: () => open(beneath),
    sending: createSending(chat),
    reading: createReading(chat),
    drafts,
    attaching: createAttaching(chat, drafts),
    people: createPeoplePanel({ dialog, open, isAlone: () => !page.beside() }),
    singleKeys: createSingleKeys(),
    readThrough: createReadThrough(chat, main),
    focusComposer: () => view.composer?.focus(),
    searchBox: { focus: () => {} },
  }
  const other: View = {
    ...view,
    ...side,
    ...createPart(side.narrow),
    isBeside: true,
    toOther: () => focusPane(view),
    // What the user keeps unread in one view may be in sight in the other.
    keepsUnread: view.keepsUnread,
    keepUnread: view.keepUnread,
    readThrough: { ...view.readThrough, left: () => undefined },
    focusComposer: () => other.composer?.focus(),
  }
  layers.closeByBack({
    ...view,
    contextMenu: () => view.contextMenu() ?? other.contextMenu(),
    openContextMenu() {
      for (const one of [view, other]) one.openContextMenu(undefined)
    },
  })
  return { view, side: other, used: createUsed(view, other) }
}

type Part = ReturnType<typeof createPointing> &
  Pick<View, 'selection' | 'editing' | 'edit' | 'reacting' | 'react' | 'composer'>

/** What each of both has for itself. */
function createPart(narrow: View['narrow']): Part {
  const [editing, edit] = createSignal<number>()
  const [reacting, react] = createSignal<number>()
  return {
    ...createPointing(narrow),
    selection: createSelection(narrow),
    editing,
    edit,
    reacting,
    react,
    composer: undefined,
  }
}

/** Where one writes, if one can. */
function focusPane(view: View): void {
  const pane = document.querySelector<HTMLElement>(view.isBeside ? '.pane.beside' : 'main')
  const place = view.composer?.isConnected ? view.composer : pane
  if (place === pane) pane?.setAttribute('tabindex', '-1')
  place?.focus()
}

function createUsed(view: View, side: View): () => View {
  const [isSide, setSide] = createSignal(false)
  const use = ({ target }: Event) => {
    const pane = (target as Element).closest?.('.pane')
    if (pane) setSide(pane.matches('.beside'))
  }
  listen(document, 'focusin', use)
  listen(document, 'pointerdown', use, { capture: true })
  return createMemo(() => (view.beside() && isSide() ? side : view))
}
