import { createSignal, type JSX, Show, Suspense } from 'solid-js'
import { FileField } from '../file-field.js'
import { later } from '../later.js'
import type { ChosenPicture } from './crop-picture.js'

const CropPicture = later(async () => (await import('./crop-picture.js')).CropPicture)

const types = 'image/png,image/jpeg,image/gif,image/webp,image/avif,image/tiff'
// Bounds the memory of a picture of many pixels; more are not shown of it anywhere.
const bitmapWidth = 1600

interface PictureFieldProps {
  readonly title: string
  readonly disabled: boolean
  /** It is shown as a square: the user chooses which one. */
  readonly isSquare: boolean
  send(picture: File): void
}

/** A field for a picture of a person or of the organization. */
export function PictureField(props: PictureFieldProps): JSX.Element {
  const [chosen, setChosen] = createSignal<ChosenPicture>()
  const choose = async (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    input.value = ''
    const bitmap = file && props.isSquare ? await bitmapOf(file) : undefined
    if (file && bitmap) setChosen({ file, bitmap })
    else if (file) props.send(file)
  }
  const close = () => {
    chosen()?.bitmap.close()
    setChosen(undefined)
  }
  return (
    <>
      <FileField
        title={props.title}
        accept={types}
        disabled={props.disabled}
        onChange={event => void choose(event.currentTarget)}
      />
      <Show when={chosen()}>
        {picture => (
          <Suspense>
            <CropPicture
              picture={picture()}
              close={close}
              take={file => {
                close()
                props.send(file)
              }}
            />
          </Suspense>
        )}
      </Show>
    </>
  )
}

/** Undefined: the browser cannot show it; the server decides. */
const bitmapOf = (file: File): Promise<ImageBitmap | undefined> =>
  createImageBitmap(file, { resizeWidth: bitmapWidth, resizeQuality: 'high' }).catch(() => undefined)
