import { For, type JSX } from 'solid-js'
import { t } from '../../language/language.js'
import { keyHelp, keyName } from '../keys.js'
import { Dialog } from './dialog.js'

export function Keys(): JSX.Element {
  return (
    <Dialog title={t('keys.title')}>
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
