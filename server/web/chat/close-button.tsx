import { type JSX, Show } from 'solid-js'
import { t } from '../language/language.js'
import { IconButton } from '../look/icon-button.js'
import { useView } from './view.js'

/** Closes one of two open views. */
export function CloseButton(): JSX.Element {
  const view = useView()
  return (
    <Show when={view.beside()}>
      <IconButton icon="close" label={t('beside.close')} work={view.close} />
    </Show>
  )
}
