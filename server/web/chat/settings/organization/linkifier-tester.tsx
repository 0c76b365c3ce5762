import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { st } from '../../../language/settings-language.js'
import { Preview } from '../../composer/preview.js'

/** A text as the server renders it with the present linkifiers. */
export function LinkifierTester(): JSX.Element {
  const id = createUniqueId()
  const [text, setText] = createSignal('')
  return (
    <div class="setting">
      <div class="field">
        <label for={id}>{st('frame.tryText')}</label>
        <input
          class="input"
          id={id}
          dir="auto"
          maxLength={1000}
          placeholder={st('frame.tryExample')}
          onChange={event => setText(event.currentTarget.value)}
        />
      </div>
      <Show when={text().trim()}>
        <Preview content={text()} />
      </Show>
    </div>
  )
}
