import { createEffect, type JSX, on } from 'solid-js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import { hasMouse } from '../../look/media.js'
import { useView } from '../view.js'

/** The mode of reading: how much is left, and the ways on. */
export function ReadThroughBar(): JSX.Element {
  const view = useView()
  const { readThrough } = view
  let next!: HTMLButtonElement
  // Enter and the space bar lead on, too. A touch screen needs no focus.
  createEffect(on(view.narrow, () => hasMouse() && queueMicrotask(() => next.focus({ preventScroll: true }))))
  const key = (name: string) => (view.singleKeys.areOn() ? <kbd>{name}</kbd> : undefined)
  return (
    <div class="feed-note read-through" role="toolbar" aria-label={t('readThrough.title')}>
      <span role="status">
        {t('readThrough.messages', readThrough.left()?.messages ?? 0)}{' '}
        {t('readThrough.conversations', readThrough.left()?.conversations ?? 0)}
      </span>
      <button type="button" class="button" onClick={readThrough.skip}>
        {t('readThrough.skip')} {key('L')}
      </button>
      <button type="button" class="button primary" ref={next} onClick={readThrough.next}>
        {t('readThrough.next')} {key('N')}
      </button>
      <IconButton icon="close" label={t('readThrough.end')} work={readThrough.end} />
    </div>
  )
}
