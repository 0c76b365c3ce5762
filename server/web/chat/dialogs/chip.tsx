import type { JSX } from 'solid-js'
import { t } from '../../language/language.js'

interface ChipProps {
  readonly name: string
  readonly isLocked?: boolean
  remove(): void
}

/** A chosen person; a click removes it from the choice. */
export function Chip(props: ChipProps): JSX.Element {
  return (
    <button
      type="button"
      class="chip"
      disabled={props.isLocked}
      aria-label={t('words.removeOne', props.name)}
      onClick={() => props.remove()}
    >
      <bdi>{props.name}</bdi> ×
    </button>
  )
}
