let = = 2;
