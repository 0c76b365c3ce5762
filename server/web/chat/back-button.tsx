import type { JSX } from 'solid-js'
import { t } from '../language/language.js'
import { IconButton } from '../look/icon-button.js'
import { useView } from './view.js'

/** Leads to the list, where that is a view of its own. */
export function BackButton(): JSX.Element {
  const view = useView()
  return <IconButton icon="back" label={t('home.back')} class="back" work={() => view.go(undefined)} />
}
