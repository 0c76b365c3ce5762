import { For, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'

interface LinksProps<Id> {
  readonly of: readonly Id[]
  name(id: Id): string
  open(id: Id): void
}

/** Names in a line, each of which opens something. */
export function Links<Id>(props: LinksProps<Id>): JSX.Element {
  return (
    <For each={props.of}>
      {(id, index) => (
        <>
          <Show when={index() > 0}>{t('words.comma')}</Show>
          <button type="button" class="link" onClick={() => props.open(id)}>
            {props.name(id)}
          </button>
        </>
      )}
    </For>
  )
}
