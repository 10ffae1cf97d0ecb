/** Where the banner is: a document of its own, fetched only by visitors who have to be asked. */
export const BANNER_PATH = '/cookie-banner';
