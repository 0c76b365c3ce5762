const pictures = /^(?:avif|gif|jpe?g|png|tiff?|webp)$/i

/** What the name of a file says of its kind, in capitals: `PDF`; empty: nothing. */
export const kindOf = (name: string): string => /\.([a-z\d]{1,5})$/i.exec(name)?.[1]?.toUpperCase() ?? ''

/** Whether the server makes a thumbnail of a file with this name, as far as the name says. */
export const isPicture = (name: string): boolean => pictures.test(kindOf(name))
