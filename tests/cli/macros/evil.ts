import "evil";
