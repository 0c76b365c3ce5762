/** What the decoder makes of a picture. */
export type Drawing =
  /** Nothing: only its header is read. */
  | { readonly kind: 'header' }
  /** A PNG of 500 x 500 and one of 100 x 100 pixels, cut around its centre. */
  | { readonly kind: 'square' }
  /** A PNG that fits into 800 x 100 pixels, never enlarged. */
  | { readonly kind: 'wide' }
  /** 64 x 64 pixels in the format of the picture, and of an animation also its first frame as PNG. */
  | { readonly kind: 'emoji' }
  /** A WebP for each form. */
  | { readonly kind: 'thumbnails'; readonly forms: readonly ThumbnailForm[] }

/** Largest size of a thumbnail in pixels; with all frames of an animation or only the first. */
export interface ThumbnailForm {
  readonly width: number
  readonly height: number
  readonly isAnimated: boolean
}

/** What the header of a picture says. Sizes in pixels, as it is shown. */
export interface PictureHeader {
  /** `jpeg`, `png`, `webp`, `gif`, `tiff` or `avif`. */
  readonly format: string
  readonly width: number
  readonly height: number
  /** More than one: the picture is shown animated. */
  readonly frames: number
}

/** A picture that was read, and what was made of it, in the order of `Drawing`. */
export interface Drawn {
  readonly header: PictureHeader
  readonly made: readonly Buffer[]
}

/** Why a drawing was not made: no picture that the server reads; one with too many pixels; one that needs too much memory or time. */
export type Failure = 'bad' | 'pixels' | 'memory' | 'time'

/** The head of a message to the decoder; the bytes of the picture follow. */
export interface DrawRequest {
  readonly drawing: Drawing
}

/** The head of the decoder's answer; the bytes of all that it made follow. */
export type DrawReply =
  | { readonly header: PictureHeader; readonly sizes: readonly number[] }
  | { readonly failure: Failure }
