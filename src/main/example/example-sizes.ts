// How large the example is, and who is who in it.

export const HARBOUR = 1;
export const MARKET = 2;
export const HEAD_OFFICE = 3;

export const PRODUCTS = 240;
export const CUSTOMERS = 620;
export const STAFF = 26;
