import { For, type JSX } from 'solid-js'
import { type TextKey, t } from '../../language/language.js'
import { useView } from '../view.js'
import { Dialog } from './dialog.js'
import './keys.css'

/** The keyboard shortcuts (chat/keys.ts and the boxes handle them). */
const keyHelp: readonly (readonly [keys: string, what: TextKey])[] = [
  ['Ctrl K', 'keys.jump'],
  ['Enter', 'keys.send'],
  ['Shift Enter', 'keys.newLine'],
  ['↑', 'keys.editLast'],
  ['@  #  :', 'keys.complete'],
  ['Ctrl B  Ctrl I', 'keys.format'],
  ['Ctrl K', 'keys.link'],
  ['↑  ↓', 'keys.stepMessage'],
  ['Shift F10', 'keys.menu'],
  ['Space', 'keys.select'],
  ['Shift ↑  Shift ↓', 'keys.selectSeveral'],
  ['R', 'keys.write'],
  ['/', 'keys.search'],
  ['C', 'keys.newTopic'],
  ['X', 'keys.newDirect'],
  ['I', 'keys.inbox'],
  ['O', 'keys.recent'],
  ['A', 'keys.all'],
  ['M', 'keys.mentions'],
  ['S', 'keys.starred'],
  ['P', 'keys.people'],
  ['Alt ↓  Alt ↑', 'keys.channels'],
  ['↑  ↓', 'keys.list'],
  ['Alt Enter', 'keys.openBeside'],
  ['F6', 'keys.toOther'],
  ['N', 'keys.unread'],
  ['L', 'keys.later'],
  ['Z', 'keys.undo'],
  ['Esc', 'keys.close'],
  ['?', 'keys.help'],
]

const named: Readonly<Record<string, TextKey>> = {
  Alt: 'keys.names.alt',
  Ctrl: 'keys.names.ctrl',
  Enter: 'keys.names.enter',
  Esc: 'keys.names.esc',
  Shift: 'keys.names.shift',
  Space: 'keys.names.space',
}

/** What is written on a key, where the language is spoken. */
const keyName = (key: string): string => (named[key] ? t(named[key]) : key)

export function Keys(): JSX.Element {
  const view = useView()
  return (
    <Dialog title={t('keys.title')}>
      <label class="key-switch">
        <input
          type="checkbox"
          checked={view.singleKeys.areOn()}
          onChange={event => view.singleKeys.set(event.currentTarget.checked)}
        />
        {t('keys.single')}
      </label>
      <dl class="key-help">
        <For each={keyHelp}>
          {([keys, what]) => (
            <div>
              <dt>
                <For each={keys.split(/ +/)}>{key => <kbd>{keyName(key)}</kbd>}</For>
              </dt>
              <dd>{t(what)}</dd>
            </div>
          )}
        </For>
      </dl>
    </Dialog>
  )
}
