#import "Harbour.h"

@implementation Harbour

- (instancetype)initWithName:(NSString *)name {
  if (self = [super init]) {
    _name = [name copy];
  }
  return self;
}

- (BOOL)admit:(id)ship {
  return ship != nil;
}

@end
