import { type JSX, Show } from 'solid-js'
import { numberText } from '../../language/format.js'
import { t } from '../../language/language.js'
import { inlineStep } from '../../language/page-language.js'
import { IconButton } from '../../look/icon-button.js'
import { listen } from '../../look/listen.js'
import { openedPictures, stepPicture } from '../feed/pictures.js'
import { Dialog } from './dialog.js'

/** A picture in full size; the arrow keys go to the pictures beside it. */
export function PictureViewer(): JSX.Element {
  const picture = () => {
    const opened = openedPictures()
    return opened?.all[opened.at]
  }
  listen(window, 'keydown', event => {
    const step = inlineStep(event)
    if (step) stepPicture(step)
  })
  return (
    <Show when={picture()}>
      {shown => (
        <Dialog title={shown().name} wide>
          <div class="viewer">
            <img src={shown().shown} alt={shown().name} />
          </div>
          <p class="viewer-tools">
            <Step step={-1} label={t('pictures.before')} isLast={openedPictures()?.at === 0} icon="back" />
            <span class="viewer-place" aria-live="polite">
              {t('pictures.place', numberText((openedPictures()?.at ?? 0) + 1), openedPictures()?.all.length ?? 0)}
            </span>
            <Step
              step={1}
              label={t('pictures.next')}
              isLast={(openedPictures()?.at ?? 0) + 1 === openedPictures()?.all.length}
              icon="forth"
            />
            <a class="button" href={shown().original.replace('/user_uploads/', '/user_uploads/download/')} download="">
              {t('pictures.download')}
            </a>
          </p>
        </Dialog>
      )}
    </Show>
  )
}

function Step(props: { step: 1 | -1; label: string; isLast: boolean; icon: 'back' | 'forth' }): JSX.Element {
  return (
    <IconButton icon={props.icon} label={props.label} isDisabled={props.isLast} work={() => stepPicture(props.step)} />
  )
}
