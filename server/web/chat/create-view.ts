import { createSignal } from 'solid-js'
import { homeView } from '../state/home-view.js'
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
import { beneath, createAddress, type Dialog, type View } from './view.js'

/** The open view, which begins as the address says. */
export function createView(chat: Chat): View {
  const [dialog, open] = createSignal<Dialog>()
  const [editing, edit] = createSignal<number>()
  const [reacting, react] = createSignal<number>()
  const layers = createLayers()
  const drafts = createDrafts(chat)
  const address = createAddress(() => chat.session.userId, layers)
  const view: View = {
    ...address,
    ...createPointing(address.narrow),
    goHome: isReplacing => address.go(homeView(chat.state), { isReplacing: isReplacing === true }),
    loadSettings: async () => (await import('./find-settings.js')).loadSettings(chat.state),
    selection: createSelection(address.narrow),
    layers,
    dialog,
    open,
    closeDialog: () => open(beneath),
    editing,
    edit,
    reacting,
    react,
    sending: createSending(chat),
    reading: createReading(chat),
    drafts,
    attaching: createAttaching(chat, drafts),
    people: createPeoplePanel({ dialog, open }),
    singleKeys: createSingleKeys(),
    readThrough: createReadThrough(chat, address),
    composer: undefined,
    focusComposer: () => view.composer?.focus(),
    searchBox: { focus: () => {} },
  }
  return view
}
