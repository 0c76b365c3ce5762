import { For, type JSX } from 'solid-js'
import { keyHelp } from '../keys.js'
import { Dialog } from './dialog.js'

export function Keys(): JSX.Element {
  return (
    <Dialog title="Keyboard">
      <dl class="key-help">
        <For each={keyHelp}>
          {([keys, what]) => (
            <div>
              <dt>
                <For each={keys.split(/ +/)}>{key => <kbd>{key}</kbd>}</For>
              </dt>
              <dd>{what}</dd>
            </div>
          )}
        </For>
      </dl>
    </Dialog>
  )
}
